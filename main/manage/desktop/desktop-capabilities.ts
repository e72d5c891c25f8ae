/** Why starting at login cannot be switched here, or does not do what it seems to. */
export type LoginItemProblem =
  /** Run from source: what would start is Electron without the app. */
  | 'development'
  /** macOS waits until the user allows it in its settings. */
  | 'approval'
  /** An autostart file of this name was not written by Switchyard. */
  | 'foreign'
  /** The entry starts another copy of the app. */
  | 'elsewhere'

/** Starting at login as the operating system has it. */
export interface LoginItem {
  /** Whether it can be switched. */
  supported: boolean
  problem: LoginItemProblem | null
  openAtLogin: boolean
  /** Whether the entry starts it without a window; null where the entry does not say. */
  startHidden: boolean | null
  /** The autostart file; null where the system keeps it elsewhere. */
  path: string | null
}

/** Abilities that only the desktop has; the desktop passes them in. */
export interface DesktopCapabilities {
  readLoginItem(): Promise<LoginItem>
  /** Throws `conflict` with a sentence where the system keeps it from being changed. */
  writeLoginItem(wanted: { openAtLogin: boolean; startHidden: boolean }): Promise<void>
  /** Shows a folder in the system's file manager; gives what went wrong, '' when nothing did. */
  openFolder(path: string): Promise<string>
  /** The link that the app was opened with; null for one that isn't kept any more. */
  readLink(id: number): string | null
}
