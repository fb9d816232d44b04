type Urls = Readonly<Record<string, string>>

/** The line that says where the apps of a process listen, as its log does from `LOG_LEVEL` info on. */
export const startedLine = (urls: Urls): string => `${JSON.stringify({ ...urls, msg: 'started' })}\n`

export const sayStarted = (urls: Urls): void => {
  process.stdout.write(startedLine(urls))
}
