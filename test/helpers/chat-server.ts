import { onTestFinished } from 'vitest'
import { openChatServer, type ChatBehaviours, type ChatServer } from './open-chat-server.ts'

export type { ChatBehaviour, ChatQuestionSeen, ChatServer } from './open-chat-server.ts'

export async function startChatServer(behaviour: ChatBehaviours): Promise<ChatServer> {
  const server = await openChatServer(behaviour)
  onTestFinished(server.close)
  return server
}
