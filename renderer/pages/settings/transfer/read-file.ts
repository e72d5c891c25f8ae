export interface ChosenFile {
  text: string
  name?: string | undefined
  /** Why it can't be imported. */
  problem?: 'empty' | 'tooLarge' | 'unreadable' | 'database' | undefined
}

/** Bytes. Below what the gateway takes, since the text grows when it is sent as JSON. */
const LARGEST = 30 * 1024 * 1024

/** The first bytes of every SQLite file. */
const DATABASE = 'SQLite format 3\0'

/** The text of a file that was chosen or dropped; without it where a problem is known. */
export async function readFile(file: File): Promise<ChosenFile> {
  const { name } = file
  if (file.size > LARGEST) return { text: '', name, problem: 'tooLarge' }
  try {
    const text = await file.text()
    if (text.startsWith(DATABASE)) return { text: '', name, problem: 'database' }
    return { text, name, problem: text.trim() === '' ? 'empty' : undefined }
  } catch {
    // A folder was dropped, or the file is gone.
    return { text: '', name, problem: 'unreadable' }
  }
}
