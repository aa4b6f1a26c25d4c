import { DoorProblem } from './door-problem.ts'

export type Werift = typeof import('werift')

const MIN_NODE = 22

/**
 * Loads the WebRTC library at the first use of a door, so that a sandbox without WebRTC starts no later.
 * @param version of Node, such as `24.21.0`
 * @throws {@link DoorProblem} 501 on a Node that the library does not support
 */
export async function loadWerift(version = process.versions.node): Promise<Werift> {
  if (Number.parseInt(version, 10) < MIN_NODE)
    throw new DoorProblem(501, `WebRTC needs Node ${MIN_NODE} or later, and the sandbox runs on Node ${version}.`)
  return import('werift')
}
