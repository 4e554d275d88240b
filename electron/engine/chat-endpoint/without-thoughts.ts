/** Including thoughts opened in the prompt, and unclosed ones, after which there is no answer. */
export function withoutThoughts(text: string): string {
  const closed = text.replaceAll(/<(think|thinking)>[\s\S]*?<\/\1>/g, '')
  const opened = closed.replace(/^[\s\S]*<\/think(?:ing)?>/, '')
  return opened.replace(/<think(?:ing)?>[\s\S]*$/, '').trim()
}
