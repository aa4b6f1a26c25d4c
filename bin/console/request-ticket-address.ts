import { startCall } from '../local/root.ts'

/**
 * Requests an address of the console that logs in one browser.
 * @param consoleUrl address with the token, as `npm start` prints it
 * @throws Error when the console does not answer
 */
export async function requestTicketAddress(consoleUrl: string): Promise<string> {
  const visit = await fetch(consoleUrl)
  const [cookie = ''] = (visit.headers.get('set-cookie') ?? '').split(';')
  const answer = await fetch(new URL('/tickets', consoleUrl), { method: 'POST', headers: { cookie } })
  if (!answer.ok) throw new Error(`The console answered ${answer.status}. Start \`${startCall}\` again.`)
  return ((await answer.json()) as { address: string }).address
}
