import { describe, expect, it } from 'vitest'
import { type Api, ApiError } from '../../../web/join/api.ts'
import { type Attendance, createAttendance, type VisitState } from '../../../web/join/attendance.ts'
import type { ShowInfo } from '../../../web/join/labels.ts'
import type { Signal } from '../../../web/join/room.ts'

const open: ShowInfo = { showId: 'a', name: 'Launch', status: 'live', isOpen: true }
const ada = { id: 'ada', createdAt: 0, data: 'Ada' }

/** A server, a session and waits that the test moves. */
function createScene(first: ShowInfo | undefined) {
  let show = first
  let refusal: Error | undefined
  let state: Attendance | undefined
  const visits: {
    readonly renew: () => Promise<string>
    readonly onChange: (state: VisitState) => void
    readonly onSignal: (signal: Signal) => void
    hasLeft: boolean
  }[] = []
  const signals: string[] = []
  const announced: string[] = []
  const waits: (() => void)[] = []
  const waiting: string[] = []
  const polled: (string | undefined)[] = []
  let tokens = 0

  const read = async () => {
    if (refusal) throw refusal
    return show
  }
  const api: Api = {
    async show(id) {
      polled.push(id)
      return read()
    },
    async wait(name) {
      waiting.push(name)
      return read()
    },
    stopWaiting: () => void waiting.push('gone'),
    async admit() {
      if (refusal) throw refusal
      tokens += 1
      return { sandboxUrl: 'http://127.0.0.1:1', sessionId: 's', token: `token ${tokens}` }
    },
  }
  const attendance = createAttendance<VisitState>({
    api,
    connect(_, renew, handlers) {
      const visit = { renew, ...handlers, hasLeft: false }
      visits.push(visit)
      return {
        signal: async ({ type = '', data }, to) => void signals.push([type, data, to ?? 'all'].join(' ')),
        leave() {
          visit.hasLeft = true
        },
      }
    },
    wait: () => new Promise<void>((over) => waits.push(over)),
    now: () => 0,
    onChange: (next) => {
      state = next
    },
    onVisit: () => {},
    onAnnouncement: (text) => announced.push(text),
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const latest = () => visits.at(-1)
  return {
    ...{ attendance, visits, signals, announced, waiting, polled },
    state: () => state,
    set(next: { readonly show?: ShowInfo; readonly refusal?: Error | undefined }) {
      if ('show' in next) show = next.show
      if ('refusal' in next) refusal = next.refusal
    },
    /** Lets every wait be over. */
    async pass() {
      for (const over of waits.splice(0)) over()
      await settle()
    },
    async join() {
      void attendance.join('Grace')
      await settle()
    },
    connect: (connectionId: string, others: VisitState['connections'] = []) =>
      latest()?.onChange({ status: 'connected', connectionId, connections: others, streams: [] }),
    lose: () => latest()?.onChange({ status: 'reconnecting', problem: 'Lost.', connections: [], streams: [] }),
    leave: (reason?: string, problem?: string) =>
      latest()?.onChange({ status: 'left', reason, problem, connections: [], streams: [] }),
    signal: (from: string, type: string, data: string) => latest()?.onSignal({ from, type, data }),
  }
}

describe('createAttendance', () => {
  it('joins a show whose session is open', async () => {
    const { join, connect, state, waiting } = createScene(open)
    await join()
    expect(state()?.phase).toBe('joining')
    connect('me')
    const { phase, room } = state() as Attendance
    expect([phase, room.ownId, room.ownName, waiting]).toEqual(['joined', 'me', 'Grace', ['Grace']])
  })

  it('waits for a show that has not started, through a server that does not answer', async () => {
    const { join, state, set, pass, visits } = createScene(undefined)
    await join()
    expect(state()?.phase).toBe('waiting')
    set({ refusal: new ApiError(0, 'No answer.') })
    await pass()
    expect([state()?.phase, state()?.reason]).toEqual(['waiting', 'No answer.'])
    set({ refusal: undefined, show: { ...open, isOpen: false, status: 'starting' } })
    await pass()
    expect([state()?.phase, state()?.reason, state()?.show?.name]).toEqual(['waiting', undefined, 'Launch'])
    set({ show: open })
    await pass()
    expect([state()?.phase, visits.length]).toEqual(['joining', 1])
  })

  it('reads the show in the lobby until the participant joins', async () => {
    const { attendance, state, set, pass } = createScene(undefined)
    void attendance.followInLobby()
    await pass()
    set({ show: open })
    await pass()
    expect([state()?.phase, state()?.show]).toEqual(['lobby', open])
  })

  it('ends with the show, and leaves the session', async () => {
    const { join, connect, state, set, pass, visits, polled } = createScene(open)
    await join()
    connect('me')
    set({ show: { ...open, status: 'ending' } })
    await pass()
    expect([state()?.phase, state()?.ending, visits[0]?.hasLeft, polled]).toEqual(['ended', 'over', true, ['a']])
  })

  it('stays when the invitation is revoked or expires after the participant has joined', async () => {
    const { join, connect, state, set, pass, visits } = createScene(open)
    await join()
    connect('me')
    set({ refusal: new ApiError(403, 'The invitation was revoked.') })
    await pass()
    await pass()
    expect([state()?.phase, state()?.reason, visits[0]?.hasLeft]).toEqual(['joined', undefined, false])
    set({ refusal: undefined, show: { ...open, status: 'ending' } })
    await pass()
    expect(state()?.ending).toBe('over')
  })

  it.each([
    ['admits no participants any more', { refusal: new ApiError(410, 'The show is over.') }],
    ['leads to another show', { show: { ...open, showId: 'b' } }],
  ])('ends with the show when the invitation %s', async (_, next) => {
    const { join, connect, state, set, pass, visits } = createScene(open)
    await join()
    connect('me')
    set(next)
    await pass()
    expect([state()?.ending, state()?.reason, visits[0]?.hasLeft]).toEqual(['over', undefined, true])
  })

  it('does not join a show that is over, and stops waiting', async () => {
    const { join, state, visits, waiting } = createScene({ ...open, status: 'succeeded' })
    await join()
    expect([state()?.ending, visits.length, waiting]).toEqual(['over', 0, ['Grace', 'gone']])
  })

  it('ends with the reason if the link or the session is refused', async () => {
    const { join, state, set } = createScene(open)
    set({ refusal: new ApiError(401, 'The link is expired.') })
    await join()
    expect([state()?.ending, state()?.reason]).toEqual(['refused', 'The link is expired.'])
    const suspended = createScene(open)
    await suspended.join()
    suspended.leave(undefined, 'Clients cannot join.')
    expect([suspended.state()?.ending, suspended.state()?.reason]).toEqual(['refused', 'Clients cannot join.'])
  })

  it('requests a token for each reconnection, and raises the hand again', async () => {
    const { join, connect, lose, signal, state, visits, signals, announced } = createScene(open)
    await join()
    expect(await visits[0]?.renew()).toBe('token 1')
    connect('me', [ada])
    signal('me', 'hand', 'up')
    lose()
    expect([state()?.phase, state()?.room.connections]).toEqual(['reconnecting', [ada]])
    expect(await visits[0]?.renew()).toBe('token 2')
    connect('me-2', [ada])
    expect([state()?.phase, state()?.room.ownId, signals]).toEqual(['joined', 'me-2', ['hand up all']])
    expect(announced).toEqual([
      'The connection is lost. You will join again automatically.',
      'You are connected again.',
    ])
  })

  it('does not join again after a moderator has removed the participant', async () => {
    const { join, connect, leave, state, pass, visits } = createScene(open)
    await join()
    connect('me')
    leave('forceDisconnected', 'Removed.')
    await pass()
    expect([state()?.phase, state()?.ending, visits.length]).toEqual(['ended', 'removed', 1])
  })

  it('stays away when the participant leaves, and can join once more', async () => {
    const { attendance, join, connect, state, pass, visits } = createScene(open)
    await join()
    connect('me')
    attendance.leave()
    await pass()
    expect([state()?.ending, visits[0]?.hasLeft, visits.length]).toEqual(['left', true, 1])
    await join()
    connect('me-2')
    expect([state()?.phase, visits.length]).toEqual(['joined', 2])
  })

  it('shows a raised hand to those who join later, and announces them', async () => {
    const { join, connect, signal, signals, announced } = createScene(open)
    await join()
    connect('me')
    signal('me', 'hand', 'up')
    connect('me', [ada])
    expect([signals, announced]).toEqual([['hand up ada'], ['Ada has joined.']])
  })

  it('sends signals only while it is connected', async () => {
    const { attendance, join, connect, lose, signals } = createScene(open)
    await join()
    connect('me')
    await attendance.signal('chat', 'Hello')
    lose()
    await expect(attendance.signal('chat', 'Hello')).rejects.toThrow('not connected')
    expect(signals).toEqual(['chat Hello all'])
  })
})
