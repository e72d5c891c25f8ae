import { claudeCode } from './tool/claude-code.ts'
import { codex } from './tool/codex.ts'
import { geminiCli } from './tool/gemini-cli.ts'
import { opencode } from './tool/opencode.ts'
import type { Tool } from './tool.ts'

/** In the order of the Connect page. */
export const tools: readonly Tool[] = [claudeCode, codex, geminiCli, opencode]
