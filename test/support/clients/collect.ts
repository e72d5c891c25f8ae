/** All that a stream gives, in its order; throws what it throws. */
export async function collect<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}
