interface Asked {
  /** GET, or POST where there is a body, unless it says otherwise. */
  readonly method?: string
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Record<string, string>
}

/** Asks the running app as every client does; stops the demo where it says no. */
export const apiClient =
  (url: string) =>
  async <A>(
    path: string,
    { body, method = body === undefined ? 'GET' : 'POST', token, headers }: Asked = {},
  ): Promise<A> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer as A
  }
