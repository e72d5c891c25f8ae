/**
 * Values as text, as far as the structured clone carries them and JSON does not: bytes, `undefined` and errors. The
 * function is sent to pages as text, so it uses nothing from outside of itself.
 */
export function createWire() {
  type Tagged = { $: string; value?: unknown }
  const toTagged = (value: unknown): unknown => {
    if (value === undefined) return { $: 'undefined' }
    if (typeof value !== 'object' || value === null) return value
    if (ArrayBuffer.isView(value)) {
      const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      const parts: string[] = []
      for (let at = 0; at < bytes.length; at += 0x8000) {
        parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)))
      }
      return { $: 'bytes', value: btoa(parts.join('')) }
    }
    if (value instanceof Error) return { $: 'error', value: value.message }
    if (Array.isArray(value)) return value.map(toTagged)
    const entries = Object.entries(value).map(([key, part]) => [key, toTagged(part)])
    return { $: 'object', value: Object.fromEntries(entries) }
  }
  const fromTagged = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(fromTagged)
    const { $, value: inner } = value as Tagged
    if ($ === 'undefined') return undefined
    if ($ === 'bytes') return Uint8Array.from(atob(String(inner)), (char) => char.charCodeAt(0))
    if ($ === 'error') return new Error(String(inner))
    const entries = Object.entries(inner as object).map(([key, part]) => [key, fromTagged(part)])
    return Object.fromEntries(entries)
  }
  return {
    pack: (value: unknown): string => JSON.stringify(toTagged(value)),
    unpack: (text: string): unknown => fromTagged(JSON.parse(text)),
  }
}
