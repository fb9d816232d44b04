/** What a server counts of its requests, and shows to its own machine. */
export interface Metrics {
  /** The media type of `text`. */
  readonly type: string
  request(route: string, status: number, seconds: number): void
  text(): Promise<string>
}
