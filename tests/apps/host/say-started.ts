type Urls = Readonly<Record<string, string>>

/** Returns the log line with the addresses of the apps, as logged at `LOG_LEVEL` info. */
export const startedLine = (urls: Urls): string => `${JSON.stringify({ ...urls, msg: 'started' })}\n`

export const sayStarted = (urls: Urls): void => {
  process.stdout.write(startedLine(urls))
}
