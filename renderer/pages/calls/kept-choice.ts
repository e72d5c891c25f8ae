/** A choice that this browser remembers; null where there is none, or where storage is denied. */
export function readChoice(name: string): string | null {
  try {
    return localStorage.getItem(`switchyard.calls.${name}`)
  } catch {
    return null
  }
}

export function keepChoice(name: string, value: string): void {
  try {
    localStorage.setItem(`switchyard.calls.${name}`, value)
  } catch {
    // Storage is denied: the choice lasts as long as the page.
  }
}
