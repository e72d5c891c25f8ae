const signs: Record<string, string> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  shift: 'Shift',
  '1-9': '1–9',
}

/** A shortcut as keyboards label its keys, such as “Ctrl K”; `space` is what the space bar is called. */
export function keyText(shortcut: string, space = 'Space'): string {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
  const nameOf = (key: string) => {
    if (key === 'mod') return isMac ? '⌘' : 'Ctrl'
    if (key === 'alt') return isMac ? '⌥' : 'Alt'
    if (key === ' ') return space
    return signs[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  }
  return shortcut.split('+').map(nameOf).join(' ')
}
