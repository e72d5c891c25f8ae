import { z } from 'zod'
import { fieldProblems } from '../../base/field-problems.ts'
import { definePlaygroundCall } from './playground-call.ts'
import { playgroundModelOperations } from './playground-models.ts'
import { parameters } from './playground-parameters.ts'
import { preview } from './playground-preview.ts'
import { send } from './playground-send.ts'
import { transcriptions } from './playground-transcription.ts'

const model = z.string().min(1, fieldProblems.field_missing)
const group = z.string().optional()

const chat = definePlaygroundCall({
  name: 'playground.chat',
  summary: "A conversation in OpenAI's chat format, whole or streamed.",
  path: '/pg/chat/completions',
  format: 'chat',
  input: z.looseObject({
    model,
    messages: z.array(z.looseObject({ role: z.string() })).min(1, 'needs at least one message'),
    stream: z.boolean().optional(),
    group,
  }),
})

const images = definePlaygroundCall({
  name: 'playground.images',
  summary: 'Makes pictures from a prompt.',
  path: '/pg/images/generations',
  format: 'images',
  input: z.looseObject({ model, prompt: z.string().min(1, fieldProblems.field_empty), group }),
})

const speech = definePlaygroundCall({
  name: 'playground.speech',
  summary: 'Reads a text aloud.',
  path: '/pg/audio/speech',
  format: 'speech',
  input: z.looseObject({ model, input: z.string().min(1, fieldProblems.field_empty), group }),
})

const embeddings = definePlaygroundCall({
  name: 'playground.embeddings',
  summary: 'Embeddings of texts.',
  path: '/pg/embeddings',
  format: 'embeddings',
  input: z.looseObject({
    model,
    input: z.union([
      z.string().min(1, fieldProblems.field_empty),
      z.array(z.unknown()).min(1, 'needs at least one text'),
    ]),
    group,
  }),
})

const rerank = definePlaygroundCall({
  name: 'playground.rerank',
  summary: 'Ranks documents by how well they answer a question.',
  path: '/pg/rerank',
  format: 'rerank',
  input: z.looseObject({
    model,
    query: z.string().min(1, fieldProblems.field_empty),
    documents: z.array(z.unknown()).min(1, 'needs at least one document'),
    group,
  }),
})

export const playgroundOperations = [
  send,
  preview,
  parameters,
  chat,
  images,
  speech,
  transcriptions,
  embeddings,
  rerank,
  ...playgroundModelOperations,
] as const
