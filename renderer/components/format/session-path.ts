/** The page of an agent's session. */
export const sessionPath = (id: string, user: number): string =>
  `/calls/sessions?${new URLSearchParams({ id, user: String(user) })}`
