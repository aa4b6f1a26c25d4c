/**
 * Returns the sources from which a page may load pictures and media of a deployment. Its bucket, its content delivery network
 * and the platform's broadcasts have hosts that only the API's links name, so every https host is among them.
 * @param apiUrl address of the API. One on loopback has its media there, unencrypted
 */
export function mediaOriginsOf(apiUrl: string): readonly string[] {
  const { protocol, hostname } = new URL(apiUrl)
  return ['https:', ...(protocol === 'http:' ? [`http://${hostname}:*`] : [])]
}
