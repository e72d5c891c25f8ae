import { aider } from './tool/aider.ts'
import { claudeCode } from './tool/claude-code.ts'
import { cline } from './tool/cline.ts'
import { codex } from './tool/codex.ts'
import { continueDev } from './tool/continue.ts'
import { copilotCli } from './tool/copilot-cli.ts'
import { crush } from './tool/crush.ts'
import { cursor } from './tool/cursor.ts'
import { geminiCli } from './tool/gemini-cli.ts'
import { goose } from './tool/goose.ts'
import { kilo } from './tool/kilo.ts'
import { llm } from './tool/llm.ts'
import { opencode } from './tool/opencode.ts'
import { qwenCode } from './tool/qwen-code.ts'
import { rooCode } from './tool/roo-code.ts'
import { sdks } from './tool/sdks.ts'
import { vscode } from './tool/vscode.ts'
import { zed } from './tool/zed.ts'
import type { Tool } from './tool.ts'

/** In the order of the Connect page. */
export const tools: readonly Tool[] = [
  ...[claudeCode, codex, geminiCli, opencode, qwenCode, copilotCli, crush, goose, aider],
  ...[vscode, cursor, zed, cline, kilo, continueDev, rooCode, llm, sdks],
]
