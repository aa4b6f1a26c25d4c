import { MediaError } from '../../../../lib/media/media-error.ts'
import type { EncodedOutput } from './output.ts'
import { createSession, type EngineSession } from './session.ts'

/** The sessions and running outputs of an engine. */
export type Registry = ReturnType<typeof createRegistry>

export function createRegistry(ffmpegPath: string) {
  const sessions = new Map<string, EngineSession>()
  const outputs = new Map<string, EncodedOutput>()

  /** Returns a session, which is created on its first use. */
  const sessionOf = (id: string) => {
    const session = sessions.get(id) ?? createSession(ffmpegPath)
    sessions.set(id, session)
    return session
  }
  const outputsOf = (sessionId: string) => [...outputs.values()].filter(({ setup }) => setup.sessionId === sessionId)

  return {
    outputs,
    sessionOf,
    sessions: () => [...sessions.values()],
    changeSession(id: string, change: (session: EngineSession) => void): void {
      change(sessionOf(id))
      for (const output of outputsOf(id)) output.rearrange()
    },
    outputsOf,
    /** @throws {@link MediaError} for an output that is not running */
    outputCalled(id: string): EncodedOutput {
      const output = outputs.get(id)
      if (!output) throw new MediaError(`There is no running output ${id}: it was never started, or has stopped.`)
      return output
    },
  }
}
