import { DeviceEnd } from '../end.tsx';

export default function DeviceAllowedPage() {
  return <DeviceEnd how="allowed" />;
}
