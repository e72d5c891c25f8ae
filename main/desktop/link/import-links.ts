/** Characters; what is longer is refused in words by the importer, which sees that there is more. */
const MOST = 10_000

/** Milliseconds: long enough to sign in to a keychain, short enough that no key lies about. */
const KEPT = 15 * 60_000

/** The link among the words of a start, or null. Windows and Linux hand it over as one. */
export const linkAmong = (argv: readonly string[]): string | null =>
  argv
    .slice(1)
    .find((word) => /^switchyard:/i.test(word))
    ?.slice(0, MOST) ?? null

/**
 * The link that the app was opened with last, in memory only: it may hold a key, and so it gets into no log, no
 * address of a page and no file.
 */
export class ImportLinks {
  #count = 0
  #latest: { id: number; text: string; until: number } | null = null

  /** Gives the page that shows it. */
  keep(text: string): string {
    const id = ++this.#count
    this.#latest = { id, text: text.slice(0, MOST), until: Date.now() + KEPT }
    return `/settings/transfer?link=${id}`
  }

  read(id: number): string | null {
    const latest = this.#latest
    if (latest && latest.until <= Date.now()) this.#latest = null
    return latest?.id === id && latest.until > Date.now() ? latest.text : null
  }
}
