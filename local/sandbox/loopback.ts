const NAMES = ['localhost', '127.0.0.1', '[::1]']

/** Whether a URL or an origin names this machine. */
export const isLoopback = (url: string): boolean => URL.canParse(url) && NAMES.includes(new URL(url).hostname)
