import { createContext, useEffect, useState } from 'react'
import { type TokensOf, createTokensOf, noColours } from './syntax.ts'

export const SyntaxContext = createContext<TokensOf>(noColours)

/** Colours of the code, once the grammars are there; a diff is read without them too. */
export function useSyntax(): TokensOf {
  const [tokensOf, setTokensOf] = useState(() => noColours)
  useEffect(() => {
    let isThere = true
    const load = async (): Promise<void> => {
      const grammars = await import('./highlight.ts').catch(
        // A page whose server has been replaced does not find them any more, and reads on without colours.
        () => undefined,
      )
      if (isThere && grammars !== undefined) setTokensOf(() => createTokensOf(grammars.readTokens))
    }
    void load()
    return () => {
      isThere = false
    }
  }, [])
  return tokensOf
}
