/** Undefined if there are more bytes. */
export async function readUpTo(
  stream: AsyncIterable<unknown>,
  maxBytes: number,
): Promise<{ readonly chunks: Buffer[]; readonly bytes: number } | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return { chunks, bytes }
}
