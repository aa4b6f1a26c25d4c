/** @import { Recording, Show, ShowLine } from './answers.d.ts' */

/**
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function ask(path, init) {
  const answer = await fetch(path, init).catch(() => {
    throw new Error('Showrunner does not answer. Is it still running in its terminal?')
  })
  const body = await answer.json()
  if (answer.ok) return body
  throw new Error(body.detail ?? body.message ?? `The request was answered ${answer.status}.`)
}

/**
 * @param {string} path
 * @param {unknown} body
 */
const post = (path, body) =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/**
 * The newest shows.
 * @param {number} limit
 * @returns {Promise<{ items: ShowLine[], cursor?: string }>}
 */
export const listShows = (limit) => ask(`/api/shows?limit=${limit}`)

/**
 * @param {string} showId
 * @returns {Promise<Show>}
 */
export const readShow = (showId) => ask(`/api/shows/${encodeURIComponent(showId)}`)

/**
 * The newest recordings.
 * @param {number} limit
 * @returns {Promise<{ items: Recording[], cursor?: string }>}
 */
export const listRecordings = (limit) => ask(`/api/recordings?limit=${limit}`)

/** Posts the example, and has guests brought to it. */
export async function startExample() {
  const { showId } = await post('/api/shows', await ask('/example.json'))
  await post('/guests', { showId })
}
