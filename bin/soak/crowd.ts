import type { PlatformClient } from '../../lib/platform/client/client.ts'
import type { Random } from '../../local/simulation/scheduling/random.ts'

/** What happens in a session while it is recorded. */
export interface Crowd {
  /** Does one thing, chosen at random, to the session or its archive; says in words what it was. */
  act(archiveId: string): Promise<string>
  /** Milliseconds until the next. */
  pause(): number
}

export interface CrowdOptions {
  readonly client: PlatformClient
  readonly sandboxUrl: string
  /** Bearer token of the sandbox's control interface. */
  readonly controlToken: string | undefined
  readonly sessionId: string
  readonly random: Random
}

interface Guest {
  readonly name: string
  readonly connectionId: string
  readonly streamId: string
}

/** Besides the one who stays. */
const MAX_GUESTS = 8
const NAMES = ['Bela', 'Carl', 'Dora', 'Emil', 'Frida', 'Gero', 'Hanna', 'Ines', 'Jonas', 'Klara', 'Leo', 'Mira']
const LAYOUTS = ['bestFit', 'verticalPresentation', 'horizontalPresentation', 'pip'] as const

/** Lets one participant join who stays, so that a clock is always seen, and then others come and go. */
export async function gatherCrowd(options: CrowdOptions): Promise<Crowd> {
  const { client, sandboxUrl, controlToken, sessionId, random } = options
  const headers = { authorization: `Bearer ${controlToken}` }
  const participants = `${sandboxUrl}/sandbox/sessions/${sessionId}/participants`
  const guests: Guest[] = []
  const pick = <Item>(items: readonly Item[]) => items[random.below(items.length)] as Item

  async function join(name: string): Promise<Guest> {
    const answer = await fetch(participants, { method: 'POST', headers, body: JSON.stringify({ name }) })
    if (answer.status !== 201) throw new Error(`A participant could not join: the sandbox answered ${answer.status}.`)
    return { name, ...((await answer.json()) as Omit<Guest, 'name'>) }
  }

  const acts = {
    async join() {
      const guest = await join(pick(NAMES))
      guests.push(guest)
      return `${guest.name} joins`
    },
    async leave() {
      const [guest] = guests.splice(random.below(guests.length), 1)
      const answer = await fetch(`${participants}/${guest?.connectionId}`, { method: 'DELETE', headers })
      if (answer.status !== 204)
        throw new Error(`A participant could not leave: the sandbox answered ${answer.status}.`)
      return `${guest?.name} leaves`
    },
    async mute() {
      const { name, streamId } = pick(guests)
      await client.muteStream({ sessionId, streamId })
      return `${name} is muted`
    },
    async setLayout(archiveId: string) {
      const type = pick(LAYOUTS)
      await client.setArchiveLayout({ archiveId, type })
      return `the layout becomes ${type}`
    },
    async setClasses() {
      const { name, streamId } = pick([stays, ...guests])
      const layoutClassList = pick([[], ['full'], ['focus']])
      await client.setStreamLayoutClasses({ sessionId, items: [{ id: streamId, layoutClassList }] })
      return `${name} has the classes [${layoutClassList}]`
    },
  }

  const stays = await join('Ada')
  return {
    act: (archiveId) => {
      const comes = guests.length < MAX_GUESTS ? (['join', 'join'] as const) : []
      const goes = guests.length > 0 ? (['leave', 'mute'] as const) : []
      return acts[pick([...comes, ...goes, 'setLayout', 'setClasses'] as const)](archiveId)
    },
    pause: () => 1_000 + random.below(3_000),
  }
}
