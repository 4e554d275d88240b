import { type HTTPMethod, type HTTPPath, oc } from '@orpc/contract'
import { z } from 'zod'

const routes = (method: HTTPMethod) => (path: HTTPPath, summary: string) =>
  oc.route({ method, path, summary })

export const get = routes('GET')
export const post = routes('POST')
export const put = routes('PUT')
export const patch = routes('PATCH')
export const remove = routes('DELETE')

export const Id = z.object({ id: z.string() })
export const Nothing = z.object({})
