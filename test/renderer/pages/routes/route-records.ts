import { createFakeGateway, type FakeGateway } from '../../fake-client.ts'

/** A target that one channel serves, with what a test says of it. */
export const targetRecord = (model: string, fields: Record<string, unknown> = {}) => ({
  ...{ model, channel_id: null, tag: null, weight: 0, channels: 1 },
  ...fields,
})

/** A route as the list has it, with what a test says of it; the tokens of its rules are there. */
export const routeRecord = ({
  rules = [],
  ...fields
}: Record<string, unknown> & { rules?: readonly object[] } = {}) => ({
  id: 4,
  name: 'coding',
  status: 1,
  targets: [targetRecord('sonnet'), targetRecord('echo')],
  rules: rules.map((rule) => ({ missing_tokens: [], ...rule })),
  created_time: 1_767_225_600,
  hides_model: false,
  ...fields,
})

const channel = (id: number, name: string, models: string, tag: string | null = null) => ({
  ...{ id, name, models, tag, status: 1 },
})

const channels = [channel(7, 'Work', 'sonnet,opus', 'paid'), channel(8, 'Echo', 'echo,echo-mini')]

const pageOf = (items: unknown[]) => ({ page: 1, page_size: 100, total: items.length, items })

/** A gateway with two channels, a token and these routes. */
export const gatewayOf = (
  routes: unknown[],
  answers: Parameters<typeof createFakeGateway>[0] = {},
): FakeGateway =>
  createFakeGateway({
    'route.list': () => routes,
    'channel.list': () => pageOf(channels),
    'token.list': () => pageOf([{ id: 3, name: 'laptop' }]),
    ...answers,
  })

/** What an operation was called with, in order. */
export const inputsOf = (gateway: FakeGateway, name: string) =>
  gateway.calls.filter((call) => call.name === name).map(({ input }) => input)
