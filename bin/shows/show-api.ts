import { createShowrunner, type Showrunner } from '../../lib/client/showrunner.ts'
import { ShowrunnerError } from '../../lib/client/showrunner-error.ts'

export type { Recording as RecordingAnswer, Show as ShowAnswer, ShowSummary } from '../../lib/client/documents.ts'
export type ShowApi = Showrunner

/** The address of the API, and a token for it. */
export interface Access {
  readonly apiUrl: string
  readonly token: string
}

/** Creates a client of the API that a command calls. */
export const createShowApi = ({ apiUrl, token }: Access): ShowApi => createShowrunner({ url: apiUrl, token })

/** Returns the token with which a participant joins the show and publishes, or undefined once the show is over. */
export async function admit({ tokens }: ShowApi, showId: string, name: string): Promise<string | undefined> {
  try {
    return (await tokens.create(showId, { role: 'publisher', data: name })).token
  } catch (error) {
    if (error instanceof ShowrunnerError && error.status === 409) return undefined
    throw error
  }
}
