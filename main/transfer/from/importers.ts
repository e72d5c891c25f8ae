import { GatewayError } from '../../base/errors.ts'
import type { Importer } from '../transfer.ts'
import { aider } from './aider.ts'
import { ccSwitch, ccSwitchDatabase } from './cc-switch/cc-switch.ts'
import { claudeCodeRouter, claudeCodeRouterDatabase } from './claude-code-router.ts'
import { cliProxyApi } from './cli-proxy-api.ts'
import { codex } from './codex.ts'
import type { DatabaseImporter } from './database-importer.ts'
import { dotEnv } from './dot-env.ts'
import { liteLlm } from './lite-llm.ts'
import { openCode } from './open-code.ts'
import { switchyardLink } from './switchyard-link.ts'

/** Every foreign format that is a text, the surest to detect first. */
export const importers: readonly Importer[] = [
  switchyardLink,
  ccSwitch,
  claudeCodeRouter,
  liteLlm,
  cliProxyApi,
  openCode,
  codex,
  aider,
  dotEnv,
]

/** The importer that a text belongs to; null for a text of no format that we know. */
export const detectImporter = (text: string, filename?: string): Importer | null =>
  importers.find((one) => one.detect(text, filename)) ?? null

/** Throws `invalid_params` for a name that is none. */
export function importerNamed(id: string): Importer {
  const importer = importers.find((one) => one.id === id)
  if (importer) return importer
  throw new GatewayError('invalid_params', {
    message: `“${id.slice(0, 40)}” is no format that can be imported. Use one of: ${importers.map((one) => one.id).join(', ')}.`,
    field: 'from',
    reason: { code: 'field_one_of', values: importers.map((one) => one.id).join(', ') },
  })
}

/** Every foreign format that is a database. */
export const databaseImporters: readonly DatabaseImporter[] = [
  ccSwitchDatabase,
  claudeCodeRouterDatabase,
]
