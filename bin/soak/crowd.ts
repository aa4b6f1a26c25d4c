import type { PlatformClient } from '../../lib/platform/client/client.ts'
import type { Random } from '../../local/simulation/scheduling/random.ts'

export type Crowd = Awaited<ReturnType<typeof gatherCrowd>>

export interface CrowdOptions {
  readonly client: PlatformClient
  readonly sandboxUrl: string
  readonly controlToken: string | undefined
  readonly sessionId: string
  readonly random: Random
}

interface Member {
  readonly name: string
  readonly connectionId: string
  readonly streamId: string
}

/** Besides the participant who stays. */
const MAX_MEMBERS = 8
const NAMES = ['Bela', 'Carl', 'Dora', 'Emil', 'Frida', 'Gero', 'Hanna', 'Ines', 'Jonas', 'Klara', 'Leo', 'Mira']
const LAYOUTS = ['bestFit', 'verticalPresentation', 'horizontalPresentation', 'pip'] as const

/** Gathers participants who act at random. One stays, so that a clock is always visible; the others join and leave. */
export async function gatherCrowd(options: CrowdOptions) {
  const { client, sandboxUrl, controlToken, sessionId, random } = options
  const headers = { authorization: `Bearer ${controlToken}` }
  const participants = `${sandboxUrl}/sandbox/sessions/${sessionId}/participants`
  const members: Member[] = []
  const pick = <Item>(items: readonly Item[]) => items[random.below(items.length)] as Item

  async function join(name: string): Promise<Member> {
    const answer = await fetch(participants, { method: 'POST', headers, body: JSON.stringify({ name }) })
    if (answer.status !== 201) throw new Error(`A participant could not join: the sandbox answered ${answer.status}.`)
    return { name, ...((await answer.json()) as Omit<Member, 'name'>) }
  }

  const actions = {
    async join() {
      const member = await join(pick(NAMES))
      members.push(member)
      return `${member.name} joins`
    },
    async leave() {
      const [member] = members.splice(random.below(members.length), 1)
      const answer = await fetch(`${participants}/${member?.connectionId}`, { method: 'DELETE', headers })
      if (answer.status !== 204)
        throw new Error(`A participant could not leave: the sandbox answered ${answer.status}.`)
      return `${member?.name} leaves`
    },
    async mute() {
      const { name, streamId } = pick(members)
      await client.muteStream({ sessionId, streamId })
      return `${name} is muted`
    },
    async setLayout(archiveId: string) {
      const type = pick(LAYOUTS)
      await client.setArchiveLayout({ archiveId, type })
      return `the layout becomes ${type}`
    },
    async setClasses() {
      const { name, streamId } = pick([stays, ...members])
      const layoutClassList = pick([[], ['full'], ['focus']])
      await client.setStreamLayoutClasses({ sessionId, items: [{ id: streamId, layoutClassList }] })
      return `${name} has the classes [${layoutClassList}]`
    },
  }

  const stays = await join('Ada')
  return {
    /** Performs one random action on the session or its archive. Returns a description of it. */
    act: (archiveId: string): Promise<string> => {
      const joins = members.length < MAX_MEMBERS ? (['join', 'join'] as const) : []
      const others = members.length > 0 ? (['leave', 'mute'] as const) : []
      return actions[pick([...joins, ...others, 'setLayout', 'setClasses'] as const)](archiveId)
    },
    pause: () => 1_000 + random.below(3_000),
  }
}
