import { byId } from '../../dom.ts'
import { copyField } from '../sharing.ts'
import { addressAtTime } from './moment-address.ts'

/**
 * Connects the button that copies a link to the moment of the live broadcast that is shown.
 * @param shownAt returns its time in milliseconds since the epoch; undefined while it is not known
 * @returns the function that shows the button once the time is known
 */
export function connectMoment(shownAt: () => number | undefined): () => void {
  const [button, line, link] = [byId('button', 'share-moment'), byId('p', 'moment'), byId('input', 'moment-link')]
  button.addEventListener('click', () => {
    const time = shownAt()
    if (time === undefined) return
    line.hidden = false
    link.value = addressAtTime(location.href, time)
    void copyField(link, byId('span', 'moment-status'))
  })
  return () => {
    button.hidden = shownAt() === undefined
  }
}
