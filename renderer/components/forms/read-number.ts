/** `1,000` and `1,000.5`: groups of three. */
const GROUPED = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/
const PLAIN = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i

/** The number that a text is, as people type and paste it: also in full-width digits, with spaces or groups; else null. */
export function readNumber(text: string, { prefix = '', suffix = '' } = {}): number | null {
  const typed = text.normalize('NFKC').replaceAll('−', '-').trim()
  const sign = typed.startsWith('-') ? '-' : ''
  const amount = withoutEnds(typed.slice(sign.length), prefix, suffix)
  const digits = `${sign}${amount}`.replaceAll(/[\s_]/g, '')
  const plain = GROUPED.test(digits) ? digits.replaceAll(',', '') : digits
  const value = PLAIN.test(plain) ? Number(plain) : Number.NaN
  return Number.isFinite(value) ? value : null
}

function withoutEnds(text: string, prefix: string, suffix: string): string {
  const [first, last] = [prefix, suffix].map((end) => end.normalize('NFKC').trim()) as [
    string,
    string,
  ]
  const begun = first !== '' && text.startsWith(first) ? text.slice(first.length) : text
  return last !== '' && begun.endsWith(last) ? begun.slice(0, -last.length) : begun
}

/** A stored value as its field shows it; what is no number as it is. */
export function writeNumber(value: number | string, isGrouped = false): string {
  if (value === '' || !Number.isFinite(Number(value))) return String(value)
  // Ten decimals hide what a division of money leaves behind.
  return Number(value).toLocaleString('en-US', {
    useGrouping: isGrouped,
    maximumFractionDigits: 10,
  })
}
