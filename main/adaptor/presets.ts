import { z } from 'zod'
import { ENDPOINT_TYPES } from './adaptor.ts'
import rows from './presets.json' with { type: 'json' }

/** A vendor that a person can pick, as a schema. */
export const presetRecord = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string().min(1),
  /** Channel type. */
  type: z.int(),
  /** With its path, which is where the vendor serves its API; empty when the owner must name it. */
  base_url: z.union([z.url(), z.literal('')]),
  /** Where the vendor speaks Anthropic's format, when that is not under `base_url`'s host alone. */
  anthropic_base_url: z.url().optional(),
  endpoint_types: z.array(z.enum(ENDPOINT_TYPES)).min(1),
  /** The page where a key is made; empty when there is none. */
  key_url: z.union([z.url(), z.literal('')]),
  needs_key: z.boolean(),
  /** A few current model names to start with. */
  models: z.array(z.string()),
  /** False when the vendor refuses `stream_options`. */
  stream_options: z.boolean().optional(),
  /** Rerank format, if not Jina's; see `settings.rerank_format`. */
  rerank_format: z.enum(['cohere', 'tei', 'voyage']).optional(),
  /** False when the vendor has no `/completions`. */
  completions: z.literal(false).optional(),
  /** Advice for a person before choosing it. */
  note: z.string().optional(),
})

/** A vendor that a person can pick, in the names of the wire. */
export type Preset = z.infer<typeof presetRecord>

/** All presets, in the order in which they are offered. A test checks them, so that no start has to. */
export const presets = rows as readonly Preset[]
