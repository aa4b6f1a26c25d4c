/**
 * Checks media that another program made in real time, such as a browser, which a busy machine delays by more than the check
 * tolerates. A check that fails is repeated with new media. The last attempt decides, so that a defect fails each of them.
 * @param attempts @default 4
 */
export async function attempt(check: () => Promise<void>, attempts = 4): Promise<void> {
  for (let left = attempts - 1; left > 0; left--)
    try {
      return await check()
    } catch {
      // The next attempt has its own media.
    }
  await check()
}
