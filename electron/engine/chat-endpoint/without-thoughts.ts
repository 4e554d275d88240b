/**
 * A model's answer without what it thought aloud. Handles thoughts that were never opened (their opening stood in the
 * prompt) and thoughts that never ended: nothing after those is an answer.
 */
export function withoutThoughts(text: string): string {
  const closed = text.replaceAll(/<(think|thinking)>[\s\S]*?<\/\1>/g, '')
  const opened = closed.replace(/^[\s\S]*<\/think(?:ing)?>/, '')
  return opened.replace(/<think(?:ing)?>[\s\S]*$/, '').trim()
}
