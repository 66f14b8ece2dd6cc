/** `files_sharing` of a server's capabilities, as recorded in 24. */
export const SHARING_CAPABILITIES = {
  api_enabled: true,
  public: {
    enabled: true,
    password: { enforced: false, askForOptionalPassword: false },
    expire_date: { enabled: false },
    multiple_links: true,
    expire_date_internal: { enabled: false },
    expire_date_remote: { enabled: false },
    send_mail: false,
    upload: true,
    upload_files_drop: true,
  },
  resharing: true,
  user: { send_mail: false, expire_date: { enabled: true } },
  group_sharing: true,
  group: { enabled: true, expire_date: { enabled: true } },
  default_permissions: 31,
  federation: {
    outgoing: true,
    incoming: true,
    expire_date: { enabled: true },
    expire_date_supported: { enabled: true },
  },
  sharee: { query_lookup_default: false, always_show_unique: true },
  sharebymail: {
    enabled: true,
    send_password_by_mail: true,
    upload_files_drop: { enabled: true },
    password: { enabled: true, enforced: false },
    expire_date: { enabled: true, enforced: false },
  },
};
