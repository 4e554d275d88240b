/** Keys, tokens and passwords in these texts, by their shape. The patterns load with the first use. */
export async function findSecrets(texts: readonly string[]): Promise<string[]> {
  const { findApiKeys } = await import('./finders/api-key.ts')
  return texts.flatMap((text) =>
    findApiKeys({ text, numberRuns: [], properNames: [] }).map(({ start, end }) => text.slice(start, end)),
  )
}
