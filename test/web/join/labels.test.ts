import { describe, expect, it } from 'vitest'
import {
  badgeOf,
  deviceProblem,
  endingOf,
  initialsOf,
  lobbyNote,
  mediaProblem,
  type ShowInfo,
  tileLabel,
  waitingNote,
} from '../../../web/join/labels.ts'
import type { Tile } from '../../../web/join/room.ts'

const show = (status: ShowInfo['status'], isOpen = false): ShowInfo => ({ showId: 'a', name: 'Launch', status, isOpen })
const start = { at: '2026-03-01T10:00:00', zone: 'Europe/Berlin' }

describe('badgeOf', () => {
  it('distinguishes what is recorded from what is not', () => {
    const states = [undefined, show('scheduled'), show('waiting', true), show('live', true), show('ending', true)]
    expect(states.map((one) => badgeOf(one).text)).toEqual(['No show yet', 'Not started', 'Green room', 'Live', 'Over'])
  })
})

describe('mediaProblem', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'
  const problem = (status: string, streamId?: string, userAgent = firefox) =>
    mediaProblem([{ status, streamId }], userAgent)

  it('names the option that Firefox needs, where a stream has never connected', () => {
    expect(problem('interrupted')).toContain('npm start -- --peer-address')
    expect(problem('interrupted', undefined, 'Chrome/156')).toContain('The page tries again')
  })

  it('leaves alone what connects, and what was connected before', () => {
    expect([problem('connecting'), problem('connected', 'id'), problem('interrupted', 'id')]).toEqual(
      Array(3).fill(undefined),
    )
  })
})

describe('lobbyNote', () => {
  it('announces the recording before the participant joins', () => {
    expect(lobbyNote(show('live', true))).toContain('is recorded once you join')
    expect(lobbyNote(show('waiting', true))).toContain('From then on it is recorded')
  })

  it('says that the page waits, and until when', () => {
    expect(lobbyNote(undefined)).toContain('the page waits')
    expect(lobbyNote({ ...show('scheduled'), start })).toContain('on 1 March 2026 at 10:00 (Europe/Berlin)')
    expect(waitingNote({ ...show('scheduled'), start })).toContain('on 1 March 2026 at 10:00 (Europe/Berlin)')
    expect(waitingNote(undefined)).toContain('You will join automatically')
  })
})

describe('endingOf', () => {
  it('has the reason of a refusal, and advice without one', () => {
    expect(endingOf('refused', 'The link is expired.').text).toBe('The link is expired.')
    expect(endingOf('refused').text).toContain('ask the organiser')
    expect(endingOf('removed').title).toContain('moderator')
  })
})

describe('deviceProblem', () => {
  it('has its own advice for each cause', () => {
    const names = [
      'NotFoundError',
      'NotAllowedError',
      'NotReadableError',
      'OverconstrainedError',
      'ended',
      'insecure',
      'X',
    ]
    const texts = names.map((name) => deviceProblem('microphone', name))
    expect(new Set(texts).size).toBe(names.length)
    for (const text of texts) expect(text).toContain('microphone')
  })
})

describe('initialsOf', () => {
  it.each([
    ['Ada Lovelace', 'AL'],
    ['grace', 'G'],
    ['Jean le Rond d’Alembert', 'JD'],
    ['王小明', '王'],
    ['👩‍🚀 Ada', '👩A'],
    ['  ', '?'],
  ])('of %s are %s', (name, initials) => expect(initialsOf(name)).toBe(initials))
})

describe('tileLabel', () => {
  const tile: Tile = {
    key: 's',
    name: 'Ada',
    kind: 'camera',
    isOwn: false,
    hasAudio: true,
    hasVideo: true,
    hasHand: false,
    isPublished: true,
  }

  it('reads everything that the icons show', () => {
    expect(tileLabel(tile, 'good')).toBe('Ada')
    const muted = { ...tile, isOwn: true, hasAudio: false, hasVideo: false, hasHand: true }
    expect(tileLabel(muted, 'poor')).toBe('Ada (you), muted, camera off, hand raised, poor connection')
    expect(tileLabel({ ...tile, kind: 'screen' }, 'good')).toBe('Screen of Ada')
    const silent = { ...tile, hasAudio: false, hasVideo: false, isPublished: false }
    expect(tileLabel(silent, 'unknown')).toBe('Ada, not on camera')
  })
})
