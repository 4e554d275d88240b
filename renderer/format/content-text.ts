export function contentText(result: Readonly<Record<string, unknown>>): string {
  const content = result['content']
  if (!Array.isArray(content)) return JSON.stringify(result, null, 2)
  return content
    .map((part: unknown) => {
      if (typeof part !== 'object' || part === null) return String(part)
      if ('text' in part && typeof part.text === 'string') return part.text
      return 'type' in part ? `[${String(part.type)}]` : JSON.stringify(part)
    })
    .join('\n\n')
}
