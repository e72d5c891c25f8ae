import type { Sentence } from '../base/reason.ts'
/** A value as JSON, TOML and YAML have it in common. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/**
 * A step on the way to a value: a key of an object, or the entry of a list whose fields equal these
 * (appended when there is none).
 */
export type Step = string | { entry: Record<string, string> }

/** In dotenv files one step: the variable's name. */
export type KeyPath = readonly Step[]

/**
 * `json` refuses comments and trailing commas, `jsonc` takes them. A change of a file in another
 * form is an instruction for people.
 */
export type FileFormat = 'json' | 'jsonc' | 'toml' | 'yaml' | 'dotenv'

/** The machine that a tool is looked for on. */
export interface Machine {
  platform: NodeJS.Platform
  /** Absolute. */
  home: string
  env: Readonly<Record<string, string | undefined>>
  /** Is there such a file or folder? */
  exists(path: string): boolean
}

/** A file of a tool's configuration. */
export interface ToolFile {
  /** Names it in edits. */
  id: string
  /** Absolute; may end in a link to the real file. */
  path: string
  format: FileFormat
}

/** One key that is set, or removed where the value is left out. */
export interface KeyEdit {
  /** Id of a `ToolFile`. */
  file: string
  path: KeyPath
  /** An object or list replaces the one that stands there: give keys that are shared with others one by one. */
  value?: Json
  /** Set only where there is none yet: a field that the file must have, whatever is in it. */
  isDefault?: true
  /** Set only where there is one: an empty value in its place keeps a comment behind it. */
  isReplacement?: true
  /** The tool writes fields of it anew by itself, which is no change by somebody. */
  isRewritten?: true
}

/** Models of a tool have places: `main` is asked for always, the others fall back to it. */
export interface ModelSlot {
  id: 'main' | 'small' | 'subagent'
  label: string
}

/** Null where unknown. */
export interface ModelFacts {
  /** Tokens that it holds at once. */
  context: number | null
  /** Most tokens of an answer. */
  output: number | null
  /** Does it take images? */
  images: boolean | null
}

/** All that a tool is pointed at. */
export interface Connection {
  /** Scheme, host and port of the gateway, without a slash at its end: `http://127.0.0.1:4747`. */
  address: string
  /** The token's key, `sk-…`. */
  token: string
  /** `main` always; the others only where the owner chose one. */
  models: { main: string; small?: string; subagent?: string }
  facts(model: string): ModelFacts
}

/** Value at a path of one of the tool's files; undefined where there is none. */
export type ReadKey = (file: string, path: KeyPath) => Json | undefined

export interface Tool {
  /** Kebab-case; also the name in `npm run connect -- TOOL`. */
  id: string
  name: string
  /** `instruction`: it has no file that can be edited safely, and people follow its steps or set its variables. */
  kind: 'file' | 'instruction'
  wireFormat: 'chat' | 'messages' | 'generate-content' | 'responses'
  /** `context`: tokens under which it's of little use; null where anything does. */
  needs: { tools: boolean; context: number | null }
  /** Beginnings of the user agents that its calls have; left out where they are not known. */
  userAgents?: readonly string[]
  /**
   * The name by which it's given a model, where it takes only some names. Another than the model's own is made an
   * alias of the tool's token.
   */
  nameOf?(model: string): string
  /** `main` first. */
  slots: readonly ModelSlot[]
  /** Signs that it's installed; one is enough. */
  installed: {
    /** Programs in PATH, without `.exe` or `.cmd`. */
    commands: readonly string[]
    /** Absolute files and folders. */
    paths(machine: Machine): string[]
  }
  /** None for an instruction. The folders of the platforms are in `machine`. */
  files(machine: Machine): ToolFile[]
  /** The fewest keys that point it here. Same input, same edits. */
  edits(connection: Connection, machine: Machine): KeyEdit[]
  /** Address it uses now, as its files have it; null: its vendor's own, or none. */
  pointsTo(read: ReadKey): string | null
  /** Variables of the shell that beat the files; warned of where the gateway's own environment has one. */
  overriddenBy?: readonly string[]
  /** Variables that its own files set for it. */
  variables?(read: ReadKey): Json | undefined
  /** Further sentences for the preview. */
  warnings?(read: ReadKey, machine: Machine): Sentence[]
  /** Command for a terminal that makes one call, the same in every shell; none where it has no such. */
  firstCall?: string
  /** Variables that do the same for one shell. bash, zsh, fish and PowerShell texts are made of them. */
  environment?(connection: Connection): Record<string, string>
  /**
   * For people, in order: all of it for an instruction, otherwise what is left to do once the files
   * are written. Backticks mark what is copied.
   */
  steps?(connection: Connection): Sentence[]
  docsUrl: string
  /** Day on which documentation and source were read: `2026-11-23`. */
  readOn: string
}

/** A tool whose files aren't edited. */
export const byHand = {
  kind: 'instruction',
  files: () => [],
  edits: () => [],
  pointsTo: () => null,
} satisfies Partial<Tool>

/** Name of the entry that is ours wherever a tool names its providers. */
export const PROVIDER_ID = 'switchyard'
