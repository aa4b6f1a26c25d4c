import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { callees } from '../../../../local/sandbox/calls/callees.ts'
import { startBaresip } from '../../../support/sip/baresip.ts'
import { openSession } from '../open-session.ts'
import { answer, receive, receiveStatus, request, type Step, startSipp } from '../sip/peers/sipp.ts'
import { PATIENCE } from './open-phone-room.ts'
import { startSkippingClock } from './skipping-clock.ts'

type Dialled = Awaited<ReturnType<Awaited<ReturnType<typeof openSession>>['dial']>>

/** A call to a phone, as the phone's side acts in it. */
interface Scene {
  until(state: string): Promise<void>
  /** Sets the clock of the sandbox forward. */
  skip(seconds: number): Promise<unknown>
}

interface Phone {
  readonly uri: string
  /** Acts after the dial. */
  act?(scene: Scene): Promise<unknown>
  /** Rejects if the phone was not called as it expects. */
  readonly done?: Promise<void>
}

interface Counterpart {
  /** Seconds in which the scripted callee has done everything. */
  readonly seconds: number
  /** Acts as the scripted callee, through the control interface. */
  readonly control?: readonly string[]
  readonly sip?: Record<string, unknown>
  phone(): Promise<Phone>
}

const acknowledged = '<recv request="ACK" crlf="true"/>'
const rings = [receive('INVITE'), answer('180 Ringing')]
const accepts = (lines: readonly string[] = []): Step[] => [
  answer('200 OK', { sdp: [], lines, retrans: 500 }),
  acknowledged,
]
const isHungUp = [receive('BYE', 'inside'), answer('200 OK', { to: 'inside' })]
const refuses = (status: string, lines: readonly string[] = []) => [
  answer(status, { lines, retrans: 500 }),
  acknowledged,
]
const challenge = ['WWW-Authenticate: Digest realm="pbx", nonce="first", algorithm=MD5, qop="auth"']
const auth = { username: 'alice', password: 'wonderland' }
const verified = '<verifyauth assign_to="isRight" username="alice" password="wonderland"/>'
const isRight = '<nop test="isRight" next="right"/>'

/** Plays a scenario of SIPp. */
const sipp = (steps: readonly Step[], act?: Phone['act']) => async (): Promise<Phone> => {
  const { port, done } = await startSipp('udp', steps)
  return { uri: `sip:bob@127.0.0.1:${port}`, done, ...(act && { act }) }
}

/** Opens a phone of baresip, which answers after it has rung and then runs commands. After each there is a state. */
const baresip = (commands: readonly (readonly [command: string, params: string, state: string])[]) => async () => {
  const phone = await startBaresip({ answers: false })
  onTestFinished(phone.close)
  const act = async ({ until }: Scene) => {
    await until('RINGING')
    for (const [command, params, state] of [['accept', '', 'ACTIVE'] as const, ...commands]) {
      await phone.run(command, params)
      await until(state)
    }
  }
  return { uri: phone.uri, act }
}

/** Opens a port at which a request arrives, and nothing is answered. */
async function openMutePort(): Promise<Phone> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  let invites = 0
  socket.on('message', () => invites++)
  return {
    uri: `sip:bob@127.0.0.1:${socket.address().port}`,
    async act({ skip }) {
      await vi.waitUntil(() => invites > 0, PATIENCE)
      await skip(32) // timer B
      await vi.waitFor(() => expect(invites).toBe(7), PATIENCE)
    },
  }
}

/** Counterparts of the scripted callees, by the user part that selects each. */
const counterparts: Readonly<Record<string, Counterpart>> = {
  answer: { seconds: 2, phone: baresip([]) },
  instant: { seconds: 1, phone: sipp([receive('INVITE'), ...accepts(), ...isHungUp]) },
  busy: { seconds: 1, phone: sipp([receive('INVITE'), ...refuses('486 Busy Here')]) },
  decline: { seconds: 3, phone: sipp([...rings, ...refuses('603 Decline')]) },
  noanswer: { seconds: 61, phone: sipp([...rings, ...refuses('480 Temporarily Unavailable')]) },
  unknown: { seconds: 1, phone: sipp([receive('INVITE'), ...refuses('404 Not Found')]) },
  unreachable: { seconds: 32, phone: openMutePort },
  guarded: { seconds: 1, phone: sipp([receive('INVITE'), ...refuses('401 Unauthorized', challenge)]) },
  'guarded with credentials': {
    seconds: 2,
    sip: { auth },
    phone: sipp([
      receive('INVITE'),
      ...refuses('401 Unauthorized', challenge),
      receive('INVITE', 'last', verified),
      isRight,
      ...refuses('403 Forbidden'),
      '<label id="right"/>',
      answer('180 Ringing'),
      ...accepts(),
      ...isHungUp,
    ]),
  },
  silent: {
    seconds: 300,
    phone: sipp([...rings, ...accepts(), ...isHungUp], async ({ until, skip }) => {
      await until('ACTIVE')
      await skip(300)
    }),
  },
  hold: {
    seconds: 42,
    phone: baresip([
      ['hold', '', 'ON_HOLD'],
      ['resume', '', 'ACTIVE'],
    ]),
  },
  hangup: { seconds: 12, phone: baresip([['hangup', '', 'HANGUP']]) },
  drop: {
    seconds: 12,
    // It is to refresh the session, and has gone.
    phone: sipp([...rings, ...accepts(['Session-Expires: 90;refresher=uas'])], async ({ until, skip }) => {
      await until('ACTIVE')
      await skip(60)
    }),
  },
  manual: {
    seconds: 0,
    control: ['ring', 'answer', 'hold', 'resume', 'hangUp'],
    phone: sipp([
      ...rings,
      ...accepts(),
      ...[request('INVITE', 1, ['a=sendonly']), receiveStatus(200), request('ACK', 1)],
      ...[request('INVITE', 2, ['a=sendrecv']), receiveStatus(200), request('ACK', 2)],
      ...[request('BYE', 3), receiveStatus(200)],
    ]),
  },
  mute: {
    seconds: 12,
    sip: { observeForceMute: true },
    phone: baresip([
      ['sndcode', '*', 'ACTIVE'],
      ['sndcode', '6', 'ACTIVE'],
    ]),
  },
}

/** Returns what is reported of a call: its callbacks without their times, and its last state. */
async function reportOf({ read, callUpdates }: Dialled) {
  const { state, ending, isMuted, heard } = await read()
  const callbacks = (await callUpdates()).map(({ event, state, reason_code, reason_message }) => {
    return [event, state ?? reason_code, reason_message].filter((part) => part !== undefined).join(' ')
  })
  return { callbacks, state, ending, isMuted, heard: heard.map(({ speech }: { speech?: string }) => speech) }
}

async function playScript(user: string, { seconds, control = [], sip }: Counterpart) {
  const { dial, clock } = await openSession()
  const dialled = await dial(user, sip)
  await clock.advance(seconds * 1_000)
  for (const does of control) expect((await dialled.act({ does })).status).toBe(200)
  return reportOf(dialled)
}

describe('callees', () => {
  it('have a real counterpart each', () => {
    const users = Object.keys(counterparts).map((name) => name.split(' ')[0])
    expect([...new Set(users)]).toEqual(Object.keys(callees))
  })

  it.each(Object.keys(counterparts))('are like the phone: %s', async (name) => {
    const counterpart = counterparts[name] as Counterpart
    const scripted = await playScript(name.split(' ')[0] as string, counterpart)
    const { clock, skip, stop } = startSkippingClock()
    onTestFinished(stop)
    const world = await openSession({ clock })
    onTestFinished(() => world.sandbox.close())
    const phone = await counterpart.phone()
    const token = await world.clientToken({ exp: clock.now() / 1000 + 3600 })
    const dialled = await world.dial('', { uri: phone.uri, ...counterpart.sip }, token)
    const until = (state: string) =>
      vi.waitFor(async () => expect(await dialled.read()).toMatchObject({ state }), PATIENCE)
    await phone.act?.({ until, skip: (seconds) => skip(seconds * 1_000) })
    await vi.waitFor(async () => expect(await reportOf(dialled)).toEqual(scripted), PATIENCE)
    if (scripted.state === 'HANGUP') return phone.done
    const { connectionId } = dialled
    const disconnected = await world.call('forceDisconnect', { sessionId: world.sessionId, connectionId })
    expect(disconnected.status).toBe(204)
    expect(await dialled.read()).toMatchObject({ state: 'HANGUP', ending: { code: 700 } })
    await phone.done
  })
})
