/** Bytes of their own, which can be given away. */
export const detached = (buffer: Buffer): Uint8Array<ArrayBuffer> =>
  buffer.byteLength === buffer.buffer.byteLength
    ? (buffer as Uint8Array<ArrayBuffer>)
    : Uint8Array.from(buffer)
