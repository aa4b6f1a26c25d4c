/** The element with this id, which the page has. */
export function byId<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, id: string): HTMLElementTagNameMap[Tag] {
  const found = document.getElementById(id)
  if (found?.localName !== tag) throw new Error(`The page has no ${tag} #${id}.`)
  return found as HTMLElementTagNameMap[Tag]
}

/** Seconds as a clock shows them: `0:07`, `12:00`, `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

/** Fills a choice; one that offers nothing to choose stays hidden. */
export function fillChoice(select: HTMLSelectElement, options: readonly { value: string; label: string }[]): void {
  select.replaceChildren(...options.map(({ value, label }) => new Option(label, value)))
  const label = select.closest('label')
  if (label) label.hidden = options.length < 2
}
