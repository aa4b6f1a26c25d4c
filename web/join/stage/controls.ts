import { byId } from '../../dom.ts'

/** The state of the controls. */
export interface Switches {
  readonly isMuted: boolean
  readonly isCameraOff: boolean
  readonly isSharing: boolean
  readonly hasHand: boolean
  /** False while the participant is not connected. */
  readonly isEnabled: boolean
}

/** Handlers of the buttons. */
export interface ControlHandlers {
  readonly microphone: () => void
  readonly camera: () => void
  readonly screen: () => void
  readonly hand: () => void
  readonly leave: () => void
}

/** Binds the buttons below the pictures. @returns the function that draws their state */
export function bindControls(handlers: ControlHandlers): (switches: Switches) => void {
  for (const [id, handler] of Object.entries(handlers)) byId('button', id).addEventListener('click', handler)
  // Phones have no screen to share. The platform reports that by the missing method.
  const canShare = 'getDisplayMedia' in (navigator.mediaDevices ?? {})
  byId('button', 'screen').hidden = !canShare

  const label = (id: string, text: string, isActive: boolean) => {
    const button = byId('button', id)
    const span = button.querySelector('span')
    if (span && span.textContent !== text) span.textContent = text
    button.title = text
    button.toggleAttribute('data-active', isActive)
    if (button.hasAttribute('aria-pressed')) button.setAttribute('aria-pressed', String(isActive))
  }
  return ({ isMuted, isCameraOff, isSharing, hasHand, isEnabled }) => {
    label('microphone', isMuted ? 'Unmute' : 'Mute', isMuted)
    label('camera', isCameraOff ? 'Camera on' : 'Camera off', isCameraOff)
    label('screen', 'Share screen', isSharing)
    label('hand', 'Raise hand', hasHand)
    for (const id of ['screen', 'hand']) byId('button', id).disabled = !isEnabled
  }
}
