/** A part of a form as a client writes it. */
export interface WrittenPart {
  name: string
  body: string | Buffer
  /** A file's. */
  filename?: string
  contentType?: string
  /** In place of the usual lines of its head. */
  head?: string
}

/** The boundary of the forms that tests write. */
export const BOUNDARY = '----test-boundary'

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

function headOf({ name, filename, contentType, head }: WrittenPart): string {
  if (head !== undefined) return head
  const file = filename === undefined ? '' : `; filename="${filename}"`
  const type = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`
  return `Content-Disposition: form-data; name="${name}"${file}${type}`
}

/** A form's bytes, byte by byte as written here, so that what is sent on can be compared with them. */
export function formBytes(parts: readonly WrittenPart[], boundary = BOUNDARY): Buffer {
  const pieces = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
    Buffer.from(part.body as string),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

/** The beginning of a WAV file and `size` bytes of sound, which hold what looks like line ends too. */
export function wavBytes(size = 200): Buffer {
  const sound = Buffer.alloc(size)
  for (let at = 0; at < size; at++) sound[at] = (at * 7) % 11 === 0 ? 13 : (at * 31) % 256
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), sound])
}

/** All bytes of a body on its way, whose pieces may change when it has gone on. */
export async function allBytes(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of source) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
