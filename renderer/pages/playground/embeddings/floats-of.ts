/**
 * Decodes base64 of little-endian 32-bit floats, which some vendors send whatever format was asked for.
 * https://platform.openai.com/docs/api-reference/embeddings/create
 */
export function decodeFloats(base64: string): number[] {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  const view = new DataView(bytes.buffer)
  return Array.from({ length: bytes.length >> 2 }, (_, index) => view.getFloat32(index * 4, true))
}
