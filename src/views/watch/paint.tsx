// Colour, unless NO_COLOR forbids it; bold and dim stay.

import { Text } from 'ink';
import { createContext, type ReactNode, useContext } from 'react';
import type { Colour } from './words.ts';

export const PaintContext = createContext(true);

export function Painted({ colour, children }: { colour: Colour; children: ReactNode }) {
  return useContext(PaintContext) ? <Text color={colour}>{children}</Text> : <Text>{children}</Text>;
}

/** A line that ends where the window does. */
export function Line({ children, dim = false }: { children: ReactNode; dim?: boolean }) {
  return (
    <Text wrap="truncate-end" dimColor={dim}>
      {children}
    </Text>
  );
}
