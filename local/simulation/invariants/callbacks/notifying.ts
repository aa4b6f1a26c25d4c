/** Matches the environments of the function that notifies owners, such as `NotifyOwner/2`. */
export const NOTIFYING = /^NotifyOwner(\/\d+)?$/
