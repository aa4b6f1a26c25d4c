import { describe, expect, it } from 'vitest'
import type { OperationName } from '../../../../lib/platform/contract/operations/operations.ts'
import { createMediaWitness } from '../media-witness.ts'
import { openSession } from '../open-session.ts'

const STYLESHEET = 'stream.main { width: 100%; height: 100% }'

/** Opens a sandbox with a running archive and broadcast for the operations that take a layout. */
async function openLayouts() {
  const { media, calls } = createMediaWitness()
  const { call, join, sessionId } = await openSession({ media })
  await join(sessionId)
  const outputs = { hls: {} }
  const archiveId = (await call('startArchive', { sessionId, multiArchiveTag: 'first' })).body.id
  const broadcastId = (await call('startBroadcast', { sessionId, outputs, multiBroadcastTag: 'first' })).body.id
  const started = calls.length
  const set = (name: OperationName, layout: Record<string, unknown>) => {
    if (name === 'startArchive') return call(name, { sessionId, multiArchiveTag: 'second', layout })
    if (name === 'startBroadcast') return call(name, { sessionId, outputs, multiBroadcastTag: 'second', layout })
    return call(name, { archiveId, broadcastId, ...layout })
  }
  return { set, since: () => calls.slice(started) }
}

describe.each(['startArchive', 'setArchiveLayout', 'startBroadcast', 'setBroadcastLayout'] as const)(
  '%s',
  (operation) => {
    it.each([
      { type: 'custom', stylesheet: STYLESHEET },
      { type: 'bestFit', screenshareType: 'verticalPresentation' },
    ])('passes %j to media unchanged', async (layout) => {
      const { set, since } = await openLayouts()
      expect((await set(operation, layout)).status).toBe(200)
      const [{ with: spec } = { with: undefined }] = since()
      expect(operation.startsWith('set') ? spec : (spec as { layout: unknown }).layout).toEqual(layout)
    })

    it.each([
      ['stream { color: red }', 'Line 1 of the stylesheet cannot be drawn: the property "color" is not supported;'],
      ['stream { top: 0 }\n.a > .b { top: 0 }', 'Line 2 of the stylesheet cannot be drawn: streams have no parents'],
      ['@import "x";', 'Line 1 of the stylesheet cannot be drawn: at-rules (@) are not supported.'],
    ])('refuses the stylesheet %j with the reason, and changes nothing', async (stylesheet, message) => {
      const { set, since } = await openLayouts()
      const { status, body } = await set(operation, { type: 'custom', stylesheet })
      expect([status, body.code]).toEqual([400, 400])
      expect(body.message).toContain(message)
      expect(since()).toEqual([])
    })
  },
)
