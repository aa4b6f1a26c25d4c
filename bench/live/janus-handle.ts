import { randomUUID } from 'node:crypto'

/** An offer or an answer. */
export interface Jsep {
  readonly type: 'offer' | 'answer'
  readonly sdp: string
}

interface Reply {
  readonly janus: string
  readonly transaction?: string
  readonly jsep?: Jsep
  readonly data?: { readonly id: number }
  readonly error?: { readonly reason: string }
  readonly plugindata?: { readonly data: Readonly<Record<string, unknown>> }
}

/** A handle of a plugin, with its own session, over HTTP (https://janus.conf.meetecho.com/docs/rest.html). */
export interface JanusHandle {
  /** Sends a request, and resolves with its result. @throws Error when Janus refuses it */
  ask(body: object, jsep?: Jsep): Promise<{ data: Readonly<Record<string, unknown>>; jsep?: Jsep | undefined }>
}

/** @param plugin @default 'videoroom' */
export async function openJanusHandle(url: string, plugin = 'videoroom'): Promise<JanusHandle> {
  const session = `${url}/${(await send(url, { janus: 'create' })).data?.id}`
  const attach = { janus: 'attach', plugin: `janus.plugin.${plugin}` }
  const handle = `${session}/${(await send(session, attach)).data?.id}`
  const waiting = new Map<string, (reply: Reply) => void>()
  void poll(session, (reply) => waiting.get(reply.transaction ?? '')?.(reply))
  return {
    async ask(body, jsep) {
      const transaction = randomUUID()
      const { promise, resolve } = Promise.withResolvers<Reply>()
      waiting.set(transaction, resolve)
      const sent = await send(handle, { janus: 'message', transaction, body, ...(jsep && { jsep }) })
      const reply = sent.janus === 'ack' ? await promise : sent // some requests are answered at once
      waiting.delete(transaction)
      const { error, ...data } = reply.plugindata?.data ?? {}
      if (error !== undefined) throw new Error(`Janus refused a request: ${error}.`)
      return { data, jsep: reply.jsep }
    },
  }
}

/** Passes on the events of a session. Polling also keeps it alive. */
async function poll(session: string, onReply: (reply: Reply) => void): Promise<void> {
  for (;;) {
    const response = await fetch(`${session}?maxev=10`).catch(() => undefined)
    if (!response?.ok) return // the server has been closed
    for (const reply of [await response.json()].flat() as Reply[]) onReply(reply)
  }
}

async function send(url: string, message: object): Promise<Reply> {
  const body = JSON.stringify({ transaction: randomUUID(), ...message })
  const reply = (await (await fetch(url, { method: 'POST', body })).json()) as Reply
  if (reply.janus === 'error') throw new Error(`Janus refused a request: ${reply.error?.reason}.`)
  return reply
}
