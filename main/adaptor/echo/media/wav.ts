const HEADER = 44
const PLAIN_SAMPLES = 1

/** Sound of 16-bit samples in one channel as a WAV file; `rate` in samples a second. */
export function wavFile(samples: Buffer, rate: number): Buffer {
  const header = Buffer.alloc(HEADER)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(HEADER - 8 + samples.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(PLAIN_SAMPLES, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

/** How long a WAV file plays, in seconds; null for what is none. */
export function wavSeconds(file: Buffer): number | null {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') {
    return null
  }
  let bytesASecond = 0
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4)
    const size = file.readUInt32LE(at + 4)
    if (name === 'fmt ' && at + 20 <= file.length) bytesASecond = file.readUInt32LE(at + 16)
    // One that was streamed says a size that is not true: what is there counts.
    if (name === 'data' && bytesASecond > 0) {
      return Math.min(size, file.length - at - 8) / bytesASecond
    }
    // Chunks begin at even places.
    at += 8 + size + (size % 2)
  }
  return null
}
