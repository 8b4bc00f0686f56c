import { AppMark, type MarkProps } from './app-mark.tsx';

/** A user's picture, or a monogram in a colour of their own. */
export const Avatar = (props: MarkProps) => <AppMark shape="rounded-full" {...props} />;
