/** Reads to repeat after a change to a route: its name is a model for those who call. */
export const routeQueries = [
  'route.list',
  'user.models',
  'playground.catalogue',
  'connect.models',
] as const
