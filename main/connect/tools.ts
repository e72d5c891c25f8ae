import { claudeCode } from './tool/claude-code.ts'
import type { Tool } from './tool.ts'

/** In the order of the Connect page. */
export const tools: readonly Tool[] = [claudeCode]
