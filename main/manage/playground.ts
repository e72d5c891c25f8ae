import { z } from 'zod'
import { GatewayError } from '../base/errors.ts'
import { relay } from '../relay/relay.ts'
import { callOf } from './call-of.ts'
import { defineOperation, defineStream } from './operation.ts'
import { signedIn } from './signed-in.ts'

const chat = defineStream({
  name: 'playground.chat',
  access: 'user',
  http: { method: 'POST', path: '/pg/chat/completions' },
  input: z.looseObject({
    model: z.string().min(1, 'is missing'),
    messages: z.array(z.looseObject({ role: z.string() })).min(1, 'needs at least one message'),
    stream: z.boolean().optional(),
    group: z.string().optional(),
  }),
  before({ credential }) {
    if (credential !== 'access-token') return
    throw new GatewayError('forbidden', {
      message:
        'The playground is for people who are signed in. Use a token at /v1/chat/completions instead.',
    })
  },
  run({ group, ...json }, context) {
    const call = callOf(
      {
        format: 'chat',
        origin: 'playground',
        path: '/pg/chat/completions',
        model: json.model,
        stream: json.stream === true,
        json,
        group: group || null,
      },
      context,
    )
    return relay(call, context.parts)
  },
})

const models = defineOperation({
  name: 'playground.models',
  access: 'user',
  http: { method: 'GET', path: '/pg/models' },
  input: z.object({ group: z.string().optional() }),
  run: ({ group }, context): string[] => [
    ...context.parts.channels.models(group || signedIn(context).group),
  ],
})

export const playgroundOperations = [chat, models] as const
